import type { Metadata } from "next";
import { Entrance } from "@/components/pages/sign-in/entrance";
import { InvitationForm } from "@/components/pages/sign-in/invitation-form";

export const metadata: Metadata = { title: "Invitation", referrer: "no-referrer" };

export default function InvitationPage() {
  return (
    <Entrance title="Choose a password" about="You are invited to Handrail, the control plane between AI agents and their tools.">
      <InvitationForm />
    </Entrance>
  );
}
