import { mailSettingsEndpoints } from "@/contracts/notifications/mail-settings";
import { notificationEndpoints } from "@/contracts/notifications/notifications";
import { answer } from "@/server/endpoints/answer";
import { getMailSettings, testMailServer, updateMailSettings } from "./mail-settings";
import { listNotifications, retryNotification } from "./notification-log";
import { getNotificationSettings, updateNotificationSettings } from "./notification-settings";
import { addPushDevice, listPushDevices, removePushDevice, testPushDevice } from "./push-devices";
import { pushKey } from "./push-keys";

export const notificationAnswers = answer(notificationEndpoints, {
  getSettings: ({ actor }) => getNotificationSettings(actor),
  updateSettings: ({ actor, body, version }) => updateNotificationSettings(actor, body, version),
  list: ({ actor, query }) => listNotifications(actor, query),
  retry: ({ actor, params }) => retryNotification(actor, params.id),
  pushKey: async () => ({ publicKey: (await pushKey()).publicKey }),
  listDevices: ({ actor, query }) => listPushDevices(actor, query),
  addDevice: ({ actor, body }) => addPushDevice(actor, body),
  removeDevice: ({ actor, params }) => removePushDevice(actor, params.id),
  testDevice: ({ actor, params }) => testPushDevice(actor, params.id),
});

export const mailSettingsAnswers = answer(mailSettingsEndpoints, {
  get: ({ actor }) => getMailSettings(actor),
  update: ({ actor, body, version }) => updateMailSettings(actor, body, version),
  test: ({ actor, body }) => testMailServer(actor, body.to),
});
