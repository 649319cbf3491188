import { useLocalStorage } from "@mantine/hooks";
import { isJsonObject, readJson } from "@/components/kit/api/read-json";
import type { Approval } from "@/contracts/approvals/approvals";

type AlertSettings = { sound: boolean; desktop: boolean };

const silent: AlertSettings = { sound: false, desktop: false };

/** Returns this browser's alert settings for new approvals; all are off at first. */
export function useAlertSettings() {
  const [settings, setSettings] = useLocalStorage<AlertSettings>({
    key: "handrail.approval-alerts",
    defaultValue: silent,
    deserialize: readSettings,
  });
  return { settings, setSettings };
}

function readSettings(text: string | undefined): AlertSettings {
  const stored = readJson(text ?? "null");
  const { sound, desktop } = isJsonObject(stored) ? stored : {};
  return typeof sound === "boolean" && typeof desktop === "boolean" ? { sound, desktop } : silent;
}

/** Returns whether a notification may be shown now; a focused page gets none. */
const mayNotify = ({ desktop }: AlertSettings) =>
  desktop && "Notification" in window && Notification.permission === "granted" && !document.hasFocus();

/** Alerts about a quarantined tool as the settings say. */
export function sendToolAlert(settings: AlertSettings) {
  if (settings.sound) ring();
  if (!mayNotify(settings)) return;
  const notification = new Notification("A tool is quarantined", {
    body: "An MCP server changed a tool. Review the change.",
    tag: "tool-changes",
  });
  notification.onclick = () => {
    window.focus();
    window.location.assign("/approvals");
    notification.close();
  };
}

/** Alerts about a new approval as the settings say. */
export async function sendAlert(settings: AlertSettings, read: () => Promise<Approval>) {
  if (settings.sound) ring();
  if (!mayNotify(settings)) return;
  const approval = await read();
  const isQuestion = approval.kind === "question";
  const title = isQuestion ? `${approval.agent} asks a question` : `${approval.tool.title} needs approval`;
  const notification = new Notification(title, {
    body: isQuestion ? approval.summary : `${approval.agent}: ${approval.summary}`,
    // The tag merges the notifications of two tabs about the same approval.
    tag: approval.id,
  });
  notification.onclick = () => {
    window.focus();
    window.location.assign(`/approvals?approval=${approval.id}`);
    notification.close();
  };
}

/** Plays two short soft tones, synthesized so that no sound file is loaded. */
export function ring() {
  const audio = new AudioContext();
  const startAt = audio.currentTime;
  for (const [place, hertz] of [660, 880].entries()) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    const at = startAt + place * 0.14;
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0, at);
    volume.gain.linearRampToValueAtTime(0.12, at + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.3);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.3);
    if (place === 1) tone.onended = () => void audio.close();
  }
}
