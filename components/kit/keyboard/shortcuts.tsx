"use client";

import { createContext, type ReactNode, useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { toShortcutKey } from "./shortcut-key";

export type Shortcut = {
  /** One key (`a`, `?`, `Enter`, `ArrowDown`) or two pressed one after the other (`g t`). */
  keys: string;
  /** Description in the help dialog. */
  label: string;
  /** Heading in the help dialog. */
  group: string;
  run: () => void;
};

type Registry = { add: (shortcuts: { current: readonly Shortcut[] }) => () => void; list: () => readonly Shortcut[] };

const ShortcutContext = createContext<Registry | null>(null);
const secondKeyMs = 1_200;

/** Listens to the keyboard for the whole page, so that no two views answer the same key. */
export function ShortcutProvider({ children }: { children: ReactNode }) {
  const sets = useRef(new Set<{ current: readonly Shortcut[] }>());
  const [registry] = useState<Registry>(() => ({
    add: (shortcuts) => {
      sets.current.add(shortcuts);
      return () => void sets.current.delete(shortcuts);
    },
    list: () => [...sets.current].flatMap(({ current }) => current),
  }));

  useEffect(() => {
    let first: { key: string; at: number } | null = null;
    const listen = (event: KeyboardEvent) => {
      const key = toShortcutKey(event);
      if (!key) return;
      const sequence = first && event.timeStamp - first.at < secondKeyMs ? `${first.key} ${key}` : null;
      first = { key, at: event.timeStamp };
      // The view mounted last wins, because it is nearest to the person.
      const known = registry.list().toReversed();
      const found = (sequence && known.find(({ keys }) => keys === sequence)) || known.find(({ keys }) => keys === key);
      if (!found) return;
      event.preventDefault();
      first = null;
      found.run();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [registry]);

  return <ShortcutContext.Provider value={registry}>{children}</ShortcutContext.Provider>;
}

function useRegistry(): Registry {
  const registry = useContext(ShortcutContext);
  if (!registry) throw new Error("Shortcuts belong inside the console's shell");
  return registry;
}

/** Registers keys while the view is mounted, also for the help that `?` opens. */
export function useShortcuts(shortcuts: readonly Shortcut[]) {
  const { add } = useRegistry();
  const latest = useRef(shortcuts);
  // A layout effect, because a key pressed right after a paint must act on the drawn list and not on the one before.
  useLayoutEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => add(latest), [add]);
}

/** Returns a function that lists all current keys by group. */
export function useKnownShortcuts(): () => Map<string, Shortcut[]> {
  const { list } = useRegistry();
  return useMemo(() => () => Map.groupBy(list(), ({ group }) => group), [list]);
}
