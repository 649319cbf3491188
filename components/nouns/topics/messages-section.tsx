"use client";

import { Anchor } from "@mantine/core";
import { IconMessages } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { useRefusal } from "@/components/kit/session/me";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import { PagedList } from "@/components/kit/ui/lists/paged-list";
import rows from "@/components/kit/ui/lists/rows.module.css";
import { PageSection } from "@/components/kit/ui/page/page-section";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { TopicMessage } from "@/contracts/agents/topics";
import { topicQueries } from "./queries";
import classes from "./topics.module.css";
import { useChangeTopics } from "./use-change-topics";

const noMessages = (
  <EmptyState icon={IconMessages} title="No messages yet">
    People send them above, agents with the tool send_message. They are kept for 30 days.
  </EmptyState>
);

/** Messages of a topic with what became of them, and the form for another one. */
export function MessagesSection({ topicId }: { topicId: string }) {
  const list = useInfiniteQuery(topicQueries.messages(topicId));
  const refusal = useRefusal("topics:write");
  const { send } = useChangeTopics();
  const [text, setText] = useState("");
  const submit = () => send.mutate({ id: topicId, text: text.trim() }, { onSuccess: () => setText("") });
  return (
    <PageSection heading="Messages">
      <form
        className={`${shared.fieldBar} ${shared.above}`}
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== "") submit();
        }}
      >
        <AutosizeTextarea
          className={shared.field}
          aria-label="Message"
          placeholder="Write to the agents that watch this topic"
          rows={[1, 8]}
          maxLength={20_000}
          value={text}
          disabled={refusal !== null}
          error={send.error ? toErrorSentence(send.error) : null}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <RefusableButton refusal={refusal} type="submit" loading={send.isPending} disabled={text.trim() === ""}>
          Send
        </RefusableButton>
      </form>
      <PagedList query={list} items="messages" skeletons={{ rows: 3, height: 2.5 }} empty={noMessages}>
        {(messages) => (
          <ul className={rows.rows} aria-label="Messages">
            {messages.map((message) => (
              <Message key={message.id} message={message} />
            ))}
          </ul>
        )}
      </PagedList>
    </PageSection>
  );
}

function Message({ message: { sender, text, conversationId, deliveries, createdAt } }: { message: TopicMessage }) {
  return (
    <li className={`${rows.row} ${classes.item}`}>
      <div className={classes.text}>
        <RevealedText text={text} />
        <div className={`${shared.inline} ${shared.small}`}>
          <span>
            <RevealedText text={sender} />, <RelativeTime at={createdAt} />
          </span>
          {conversationId ? (
            <Anchor component={Link} href={`/turns?conversation=${conversationId}`} size="xs">
              Sent in this conversation
            </Anchor>
          ) : null}
          {deliveries.map((delivery) => (
            <span key={delivery.watch}>
              {deliveryWords(delivery)}
              {delivery.conversationId ? (
                <>
                  {" "}
                  <Anchor component={Link} href={`/turns?conversation=${delivery.conversationId}`} size="xs">
                    its turns
                  </Anchor>
                </>
              ) : null}
            </span>
          ))}
        </div>
      </div>
    </li>
  );
}

function deliveryWords({ agent, outcome, reason }: TopicMessage["deliveries"][number]): string {
  switch (outcome) {
    case "started":
      return `${agent} started`;
    case "opened":
      return `a conversation of ${agent} waits for its runtime`;
    case "skipped":
      return `${agent} was left out: ${reason}`;
    case "failed":
      return `${agent} could not start: ${reason}`;
  }
}
