import { handled } from "@/server/jobs/run-queue";
import { defineFamily } from "../define-family";
import { mailSettingsAnswers, notificationAnswers } from "./endpoints";
import { environment } from "./environment";
import { findLostNotifications, removeOldNotifications } from "./notification-log";
import { approverQueue, notificationQueue } from "./notification-queue";
import { sendNotification } from "./send-notification";
import { approvalSubscriber, tellApprovers } from "./tell-approvers";

export const notificationsFamily = defineFamily({
  name: "notifications",
  endpoints: [...notificationAnswers, ...mailSettingsAnswers],
  environment,
  queues: [
    handled(approverQueue, ({ approvalId }) => tellApprovers(approvalId)),
    handled(notificationQueue, ({ notificationId }) => sendNotification(notificationId)),
  ],
  subscriber: approvalSubscriber,
  findLostWork: [findLostNotifications],
  removeOldRows: [removeOldNotifications],
});
