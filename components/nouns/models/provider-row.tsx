import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import { OrderedRow, type RowOrder } from "@/components/kit/ui/lists/ordered-row";
import { CodeText } from "@/components/kit/ui/text/code-text";
import type { ModelProvider } from "@/contracts/models/models";
import { kindWords } from "./provider-presets";

type ProviderRowProps = {
  provider: ModelProvider;
  order: RowOrder;
  refusal: string | null;
  onOpen: () => void;
  onSwitch: (enabled: boolean) => void;
  onRemove: () => void;
};

/** One provider: its place in the chain, its default model, its address and its switch. */
export function ProviderRow({ provider, order, refusal, onOpen, onSwitch, onRemove }: ProviderRowProps) {
  const { id, name, kind, baseUrl, maskedKey, enabled, models } = provider;
  const [first, ...others] = models;
  const host = URL.parse(baseUrl)?.host ?? baseUrl;
  return (
    <OrderedRow
      order={order}
      name={name}
      href={`/settings/models?provider=${id}`}
      refusal={refusal}
      enabled={enabled}
      lead={kindWords[kind]}
      title={name}
      notes={
        <>
          {first ? <CodeText>{first.name}</CodeText> : null}
          {others.length > 0 ? ` and ${others.length} more` : null}
          {first ? " · " : null}
          {host} · {maskedKey ? `key ${maskedKey}` : "no key"}
        </>
      }
      badge={
        first ? null : (
          <StatusBadge tone="unavailable" plain>
            No model chosen
          </StatusBadge>
        )
      }
      ends={{ first: "Ask first", last: "Ask last" }}
      onOpen={onOpen}
      onSwitch={onSwitch}
      onRemove={onRemove}
    />
  );
}
