import { IconLock } from "@tabler/icons-react";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";

/** Notice in place of a section that the person's role does not include. */
export function AdminsOnly({ what, reason }: { what: string; reason: string }) {
  return (
    <EmptyState icon={IconLock} title={`Only admins see ${what}`}>
      <RevealedText text={reason} />
    </EmptyState>
  );
}
