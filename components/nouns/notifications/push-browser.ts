import { call } from "@/components/kit/api/call";
import { notificationEndpoints } from "@/contracts/browser/notifications/notifications";

/** The reason for which this browser gets no pushes; null when it can. */
export function whyNoPush(): string | null {
  if (!window.isSecureContext) return "Pushes need https. Open the console by its https address.";
  if (!("serviceWorker" in navigator) || !("PushManager" in window)) {
    return "This browser gets pushes only from an installed page: add Handrail to the home screen, and open it there.";
  }
  if (Notification.permission === "denied") return "The browser blocks notifications. Allow them for this site in the browser's settings.";
  return null;
}

/** Returns the address of this browser's subscription; null while it has none. */
export async function pushEndpoint(): Promise<string | null> {
  if (!("serviceWorker" in navigator)) return null;
  const registration = await navigator.serviceWorker.getRegistration("/");
  const subscription = await registration?.pushManager?.getSubscription();
  return subscription?.endpoint ?? null;
}

/** Asks the person, subscribes this browser and tells the server. @throws Error with a sentence for the person */
export async function subscribeHere(): Promise<void> {
  if ((await Notification.requestPermission()) !== "granted") {
    throw new Error("The browser blocks notifications. Allow them for this site in the browser's settings.");
  }
  await navigator.serviceWorker.register("/service-worker.js");
  const registration = await navigator.serviceWorker.ready;
  const { publicKey } = await call(notificationEndpoints.pushKey, {});
  // A subscription with another key, of an earlier installation at this address, gets nothing any more.
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const { endpoint, keys } = subscription.toJSON();
  await call(notificationEndpoints.addDevice, {
    body: { endpoint: endpoint ?? "", keys: { p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" }, device: deviceName() },
  });
}

export async function unsubscribeHere(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration("/");
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}

const browsers = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;
const systems = [
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Mac OS", "macOS"],
  ["Windows", "Windows"],
  ["Linux", "Linux"],
] as const;

/** Names this browser to its owner. */
function deviceName(): string {
  const named = (list: readonly (readonly [string, string])[]) => list.find(([mark]) => navigator.userAgent.includes(mark))?.[1];
  return [named(browsers) ?? "Browser", named(systems)].filter(Boolean).join(" on ");
}
