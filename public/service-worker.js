// Shows pushed notifications and opens the card that they name. It keeps no pages: the console needs its server.
const ownPath = (url) => (typeof url === "string" && /^\/(?!\/)/.test(url) ? url : "/approvals");

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("push", (event) => {
  let told = {};
  try {
    told = event.data?.json() ?? {};
  } catch {
    // A push of another sender is shown without its text.
  }
  const { title = "Handrail", body = "An approval waits.", url, tag } = told;
  event.waitUntil(self.registration.showNotification(title, { body, tag, icon: "/icon.svg", data: { url: ownPath(url) } }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const address = new URL(ownPath(event.notification.data?.url), self.location.origin).href;
  event.waitUntil(
    (async () => {
      const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
      const open = windows.find((client) => client.url.startsWith(self.location.origin));
      if (!open) return self.clients.openWindow(address);
      await open.focus();
      return open.navigate(address);
    })(),
  );
});
