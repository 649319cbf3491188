import { Button } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import { Facts } from "@/components/kit/ui/page/facts";
import shared from "@/components/kit/ui/shared.module.css";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { Call } from "@/contracts/turns/turns";
import classes from "./call-card.module.css";
import { readCard } from "./read-card";

/** The card that a tool shows to people, in a frame of its own: its words are not the product's. */
export function CallCard({ call }: { call: Pick<Call, "name" | "structuredContent"> }) {
  const card = readCard(call.structuredContent);
  if (!card) return null;
  return (
    <figure className={`${classes.card} ${shared.framed}`} aria-label={`Card of ${call.name}`}>
      <figcaption className={shared.strong}>
        <RevealedText text={card.title} />
      </figcaption>
      {card.body ? (
        <p className={shared.typed}>
          <RevealedText text={card.body} />
        </p>
      ) : null}
      {card.fields.length > 0 ? (
        <Facts facts={card.fields.map(({ label, value }) => [label, <RevealedText key={label} text={value} />] as const)} />
      ) : null}
      {card.links.length > 0 ? (
        <div className={shared.bar}>
          {card.links.map(({ label, url }) => (
            <Button
              key={`${label} ${url}`}
              component="a"
              href={url}
              target="_blank"
              rel="noopener noreferrer nofollow"
              variant="default"
              size="compact-md"
              title={spellHidden(url)}
              rightSection={<IconExternalLink size={14} aria-hidden />}
            >
              {label}
              <span className={classes.host}>{new URL(url).host}</span>
            </Button>
          ))}
        </div>
      ) : null}
    </figure>
  );
}
