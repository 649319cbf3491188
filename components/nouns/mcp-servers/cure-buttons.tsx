import { Button } from "@mantine/core";
import { IconLockOpen2 } from "@tabler/icons-react";
import { useMe, useRefusal } from "@/components/kit/session/me";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { outputSentence } from "@/contracts/lib/output-sentence";
import type { McpCure } from "@/contracts/mcp/mcp-servers";
import { cureLabel } from "./apply-cure";
import classes from "./cure-buttons.module.css";

type CureButtonsProps = {
  cures: readonly McpCure[];
  /** Words that stand above the buttons; what they say is not said again. */
  said?: string | null;
  isPending?: boolean;
  onAllow: (cure: McpCure) => void;
};

/** Buttons that allow a server's program what the sandbox kept from it. */
export function CureButtons({ cures, said = null, isPending = false, onAllow }: CureButtonsProps) {
  const runRefusal = useRefusal("mcp:run");
  const me = useMe();
  if (cures.length === 0) return null;
  const printed = cures.flatMap((cure) => (cure.kind === "read" && cure.namedBy === "output" ? [cure.path] : []));
  const warning = printed.length > 0 ? outputSentence(printed) : null;
  return (
    <div className={shared.bar}>
      {cures.map((cure) => {
        const ownersOnly = cure.kind === "outside" && me.role !== "owner" ? "Only an owner may run a program outside the sandbox." : null;
        const refusal = runRefusal ?? ownersOnly;
        return (
          <DisabledReason key={cureLabel(cure)} reason={refusal}>
            <Button
              variant="default"
              size="xs"
              classNames={{ root: classes.button, label: classes.label }}
              leftSection={<IconLockOpen2 size={14} aria-hidden />}
              loading={isPending}
              disabled={refusal !== null}
              onClick={() => onAllow(cure)}
            >
              {cureLabel(cure)}
            </Button>
          </DisabledReason>
        );
      })}
      {warning !== null && !said?.includes(warning) ? (
        <p className={`${shared.small} ${shared.wrapping}`}>
          <RevealedText text={warning} />
        </p>
      ) : null}
    </div>
  );
}
