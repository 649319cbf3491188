import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useId, useState } from "react";
import { useRefusal } from "@/components/kit/session/me";
import { skillQueries } from "@/components/nouns/skills/queries";
import type { Skill } from "@/contracts/skills/skills";

/** A slash at the beginning of a message, and the letters behind it. */
const asked = /^\/([^\s/]{0,64})$/;

/**
 * Skills whose names begin with what is typed come first. While the answer to it is on its way, only names of the last answer that hold it
 * are shown, so that Enter never takes another one.
 */
function inOrder(skills: readonly Skill[], query: string, isEarlier: boolean): Skill[] {
  const typed = query.toLowerCase();
  const begins = ({ name }: Skill) => Number(name.startsWith(typed));
  return skills.filter(({ name }) => !isEarlier || name.includes(typed)).toSorted((a, b) => begins(b) - begins(a));
}

/** The skills that a slash at the beginning of a message offers: which fit, which is marked, and what keys do. */
export function useSkillPicker(agentId: string, text: string, onType: (text: string) => void) {
  const refusal = useRefusal("skills:read");
  const list = useId();
  const [marked, setMarked] = useState<{ text: string; index: number }>({ text: "", index: 0 });
  const [closedAt, setClosedAt] = useState<string | null>(null);
  const query = asked.exec(text)?.[1];
  const isAsked = query !== undefined && refusal === null && closedAt !== text;
  const found = useQuery({ ...skillQueries.ofAgent(agentId, query ?? ""), enabled: isAsked, placeholderData: keepPreviousData });
  const items = isAsked ? inOrder(found.data?.items ?? [], query, found.isPlaceholderData) : [];
  const isOpen = isAsked && (items.length > 0 || !found.isFetching);
  const index = marked.text === text ? Math.min(marked.index, Math.max(0, items.length - 1)) : 0;
  const optionId = (at: number) => `${list}-${at}`;
  const pick = (name: string) => onType(`Use the "${name}" skill: `);
  const takeKey = (event: KeyboardEvent): boolean => {
    if (!isOpen || event.nativeEvent.isComposing) return false;
    const chosen = items[index];
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && items.length > 0) setMarked({ text, index: (index + step + items.length) % items.length });
    else if (event.key === "Escape") setClosedAt(text);
    else if ((event.key === "Enter" || event.key === "Tab") && chosen && !event.shiftKey) pick(chosen.name);
    else return false;
    event.preventDefault();
    return true;
  };
  const field = isOpen
    ? {
        "aria-autocomplete": "list" as const,
        "aria-haspopup": "listbox" as const,
        "aria-controls": list,
        "aria-activedescendant": items.length > 0 ? optionId(index) : undefined,
      }
    : {};
  return { isOpen, items, index, list, optionId, pick, takeKey, field, error: found.isError ? found.error : null };
}
