import { Alert, Button } from "@mantine/core";
import { IconMailForward } from "@tabler/icons-react";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeBlock } from "@/components/kit/ui/text/code-block";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { Invitation } from "@/contracts/identity/identity";

/** Shows the link of an invitation, which an admin sends on. */
export function InvitationLink({ name, invitation, onDone }: { name: string; invitation: Invitation; onDone: () => void }) {
  return (
    <div className={shared.story}>
      <Alert color="yellow" icon={<IconMailForward aria-hidden />}>
        Send this link to <RevealedText text={name} /> only: whoever opens it chooses the password. It works once and expires{" "}
        <RelativeTime at={invitation.expiresAt} />.
      </Alert>
      <CodeBlock label="Invitation link" text={invitation.url} />
      <div className={shared.buttons}>
        <Button onClick={onDone} data-autofocus>
          Done
        </Button>
      </div>
    </div>
  );
}
