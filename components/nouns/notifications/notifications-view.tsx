"use client";

import { SettingsPages } from "@/components/kit/settings-frame/settings-pages";
import { SettingsSection } from "@/components/kit/settings-frame/settings-section";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import { DevicesSection } from "./devices-section";
import { NotificationLog } from "./notification-log";
import { notificationQueries } from "./queries";
import { WaysForm } from "./ways-form";

/** The signed-in person's ways to hear of approvals, and the log of what was sent. */
export function NotificationsView() {
  return (
    <>
      <PageHeader title="Settings" />
      <SettingsPages here="notifications" />
      <SettingsSection
        id="ways"
        title="My notifications"
        description="How you hear of approvals that you may decide. A link leads to the card, and decides nothing by itself."
        query={notificationQueries.settings()}
        what="your notification settings"
        rows={4}
        height={3.5}
      >
        {(settings) => <WaysForm key={settings.version} settings={settings} />}
      </SettingsSection>
      <DevicesSection />
      <NotificationLog />
    </>
  );
}
