import { ActionIcon, Button, Switch } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { toErrorSentence } from "@/components/api/error-sentence";
import { CodeText } from "@/components/ui/code-text";
import { DisabledReason } from "@/components/ui/disabled-reason";
import rows from "@/components/ui/rows.module.css";
import { StatusBadge } from "@/components/ui/status-badge";
import { type MediaProvider, mediaEndpoints } from "@/contracts/browser/media";
import classes from "./media.module.css";
import { mediaKindWords, mediaStatusWords } from "./media-words";

type MediaProviderRowProps = {
  provider: MediaProvider;
  place: number;
  count: number;
  refusal: string | null;
  isLocked: boolean;
  onMove: (to: number) => void;
  onSwitch: (isOn: boolean) => void;
  onEdit: () => void;
};

/** One media provider: its state, its place in the order, and a test of its key. */
export function MediaProviderRow({ provider, place, count, refusal, isLocked, onMove, onSwitch, onEdit }: MediaProviderRowProps) {
  const { id, title, enabled, status, hasKey, kinds, address } = provider;
  const test = useMutation({
    mutationFn: () => call(mediaEndpoints.test, { body: { provider: id } }),
    meta: { showsError: true },
  });
  return (
    <li className={`${rows.row} ${classes.row}`} data-off={!enabled || undefined}>
      <span className={classes.place}>{place + 1}</span>
      <div className={classes.words}>
        <p className={classes.name}>
          {title}{" "}
          <StatusBadge tone={status === "ready" ? "allow" : status === "key_unreadable" ? "deny" : "unavailable"} plain>
            {mediaStatusWords[status]}
          </StatusBadge>
        </p>
        <p className={classes.notes}>{kinds.map((kind) => mediaKindWords[kind]).join(", ")}</p>
        {address ? <CodeText dim>{address}</CodeText> : null}
        <p className={classes.outcome} role="status" data-failed={(test.error ?? test.data?.succeeded === false) ? true : undefined}>
          {test.isPending
            ? "Asking…"
            : test.error
              ? toErrorSentence(test.error)
              : test.data
                ? `${test.data.sentence} ${test.data.durationMs.toLocaleString("en")} ms`
                : null}
        </p>
      </div>
      <div className={classes.controls}>
        <ActionIcon aria-label={`Move ${title} up`} size="sm" disabled={isLocked || place === 0} onClick={() => onMove(place - 1)}>
          <IconArrowUp size={15} aria-hidden />
        </ActionIcon>
        <ActionIcon
          aria-label={`Move ${title} down`}
          size="sm"
          disabled={isLocked || place === count - 1}
          onClick={() => onMove(place + 1)}
        >
          <IconArrowDown size={15} aria-hidden />
        </ActionIcon>
        <DisabledReason reason={refusal}>
          <Switch
            aria-label={`${title} is on`}
            checked={enabled}
            disabled={isLocked}
            onChange={(event) => onSwitch(event.currentTarget.checked)}
          />
        </DisabledReason>
        {hasKey ? (
          <DisabledReason reason={refusal}>
            <Button
              variant="default"
              size="compact-sm"
              aria-label={`Test ${title}`}
              loading={test.isPending}
              disabled={refusal !== null}
              onClick={() => test.mutate()}
            >
              Test
            </Button>
          </DisabledReason>
        ) : null}
        <DisabledReason reason={refusal}>
          <Button variant="default" size="compact-sm" aria-label={`Set up ${title}`} disabled={isLocked} onClick={onEdit}>
            Set up
          </Button>
        </DisabledReason>
      </div>
    </li>
  );
}
