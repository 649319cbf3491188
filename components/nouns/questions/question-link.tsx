import { Anchor } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import classes from "./question-form.module.css";

/** The address that a question asks its reader to open. The host is shown first, because the rest of an address may mislead. */
export function QuestionLink({ url }: { url: string }) {
  const host = URL.canParse(url) ? new URL(url).host : url;
  return (
    <p className={classes.link}>
      <Anchor href={url} target="_blank" rel="noopener noreferrer nofollow">
        Open {host} <IconExternalLink size={14} aria-hidden />
      </Anchor>
      <span className={classes.address}>
        <RevealedText text={url} />
      </span>
    </p>
  );
}
