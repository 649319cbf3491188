import { Menu } from "@mantine/core";
import { IconListSearch } from "@tabler/icons-react";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import { OrderedRow, type RowOrder } from "@/components/kit/ui/lists/ordered-row";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { Hook } from "@/contracts/hooks/hooks";
import { actionSentence } from "./action-sentence";
import { hookSentence } from "./hook-sentence";
import { eventWords } from "./hook-words";

type HookRowProps = {
  hook: Hook;
  order: RowOrder;
  agentName: string | null;
  refusal: string | null;
  onOpen: () => void;
  onShowRuns: () => void;
  onSwitch: (enabled: boolean) => void;
  onRemove: () => void;
};

/** One hook: its place, when it runs, what it does and its switch. */
export function HookRow({ hook, order, agentName, refusal, onOpen, onShowRuns, onSwitch, onRemove }: HookRowProps) {
  return (
    <OrderedRow
      order={order}
      name={hook.name}
      href={`/hooks?hook=${hook.id}`}
      refusal={refusal}
      enabled={hook.enabled}
      lead={eventWords[hook.event].label}
      title={hook.name}
      notes={`${capital(actionSentence(hook.action))}: ${hookSentence(hook, agentName)}`}
      badge={
        hook.availability.status === "unavailable" ? (
          <StatusBadge tone="unavailable" plain>
            <RevealedText text={hook.availability.reason} />
          </StatusBadge>
        ) : null
      }
      ends={{ first: "Run first", last: "Run last" }}
      menu={
        <Menu.Item leftSection={<IconListSearch size={16} aria-hidden />} onClick={onShowRuns}>
          Its runs
        </Menu.Item>
      }
      onOpen={onOpen}
      onSwitch={onSwitch}
      onRemove={onRemove}
    />
  );
}

const capital = (part: string) => part.charAt(0).toUpperCase() + part.slice(1);
