import type { InfiniteData } from "@tanstack/react-query";
import type { ChatRun } from "@/contracts/runs/chats";
import type { Run, RunMessage } from "@/contracts/runs/runs";

export type ChatPages = InfiniteData<{ items: ChatRun[]; nextCursor: string | null; total?: number | undefined }, unknown>;

/** Returns the runs of all pages, oldest first. */
export function runsInOrder(pages: ChatPages | undefined): ChatRun[] {
  return (pages?.pages ?? []).flatMap(({ items }) => items).toReversed();
}

/** Returns the pages with the newest state of a run. A new run begins with the messages that are known. */
export function withRun(pages: ChatPages | undefined, run: Run, messages: readonly RunMessage[] = []): ChatPages {
  const known = pages ?? { pages: [{ items: [], nextCursor: null }], pageParams: [undefined] };
  const isKnown = known.pages.some(({ items }) => items.some((item) => item.run.id === run.id));
  if (isKnown) return changeRun(known, run.id, (before) => ({ run, messages: mergeMessages(before.messages, messages) }));
  const [first, ...rest] = known.pages;
  if (!first) return known;
  return { ...known, pages: [{ ...first, items: [{ run, messages: [...messages] }, ...first.items] }, ...rest] };
}

/** Returns the pages with a message of a run that they hold. */
export function withMessage(pages: ChatPages | undefined, message: RunMessage): ChatPages | undefined {
  return pages && changeRun(pages, message.runId, (before) => ({ ...before, messages: mergeMessages(before.messages, [message]) }));
}

function changeRun(pages: ChatPages, runId: string, change: (before: ChatRun) => ChatRun): ChatPages {
  return {
    ...pages,
    pages: pages.pages.map((page) =>
      page.items.some(({ run }) => run.id === runId)
        ? { ...page, items: page.items.map((item) => (item.run.id === runId ? change(item) : item)) }
        : page,
    ),
  };
}

function mergeMessages(before: readonly RunMessage[], added: readonly RunMessage[]): RunMessage[] {
  const byPosition = new Map([...before, ...added].map((message) => [message.position, message]));
  return [...byPosition.values()].toSorted((a, b) => a.position - b.position);
}
