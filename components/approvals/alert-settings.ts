import { useLocalStorage } from "@mantine/hooks";
import { z } from "zod";
import type { Approval } from "@/contracts/approvals";

const AlertSettings = z.object({ sound: z.boolean(), desktop: z.boolean() }).catch({ sound: false, desktop: false });
type AlertSettings = z.infer<typeof AlertSettings>;

const silent: AlertSettings = { sound: false, desktop: false };

/** How this browser tells that an approval was asked for; nothing until the person says so. */
export function useAlertSettings() {
  const [settings, setSettings] = useLocalStorage<AlertSettings>({
    key: "handrail.approval-alerts",
    defaultValue: silent,
    deserialize: (text) => AlertSettings.parse(parseJson(text)),
  });
  return { settings, setSettings };
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

/** Tells about a new approval in the ways that were asked for. A page that the person is working in needs no notification. */
export async function alertOf(settings: AlertSettings, read: () => Promise<Approval>) {
  if (settings.sound) ring();
  if (!settings.desktop || !("Notification" in window) || Notification.permission !== "granted" || document.hasFocus()) return;
  const approval = await read();
  const notification = new Notification(`${approval.tool.title} waits for approval`, {
    body: `Agent ${approval.agent}. ${approval.decision.reason}`,
    // The same approval told by two tabs is one notification.
    tag: approval.id,
  });
  notification.onclick = () => {
    window.focus();
    window.location.assign(`/approvals?approval=${approval.id}`);
    notification.close();
  };
}

/** Two short soft tones; made here, so that there is no file to load. */
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
