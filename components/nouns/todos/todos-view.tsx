"use client";

import { Anchor, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import Link from "next/link";
import { useState } from "react";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { useRefusal } from "@/components/kit/session/me";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import { PageSection } from "@/components/kit/ui/page/page-section";
import { RecurringSection } from "./recurring-section";
import { TodoSection } from "./todo-section";
import classes from "./todos.module.css";
import { useChangeTodos } from "./use-change-todos";

/** The to-dos of the workspace, which people and agents share. */
export function TodosView() {
  const refusal = useRefusal("todos:write");
  const { add } = useChangeTodos();
  const [content, setContent] = useState("");
  const isEmpty = content.trim() === "";
  return (
    <>
      <PageHeader title="To-dos" description="One list of the workspace. People and agents add to-dos and complete them." />
      <form
        className={classes.add}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isEmpty) add.mutate(content.trim(), { onSuccess: () => setContent("") });
        }}
      >
        <TextInput
          aria-label="New to-do"
          placeholder="Ask Mei about the invoice"
          maxLength={2_000}
          value={content}
          disabled={refusal !== null}
          error={add.error ? toErrorSentence(add.error) : null}
          onChange={(event) => setContent(event.currentTarget.value)}
        />
        <RefusableButton
          refusal={refusal}
          type="submit"
          leftSection={<IconPlus size={16} aria-hidden />}
          loading={add.isPending}
          disabled={isEmpty}
        >
          Add to-do
        </RefusableButton>
      </form>
      <TodoSection status="open" />
      <RecurringSection />
      <PageSection heading="Done">
        <TodoSection status="done" />
      </PageSection>
      <p className={classes.hint}>
        Agents can mention the addresses of{" "}
        <Anchor component={Link} href="/contacts" underline="always">
          contacts
        </Anchor>{" "}
        only.
      </p>
    </>
  );
}
