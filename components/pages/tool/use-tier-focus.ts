"use client";

import { useCallback, useEffect, useRef } from "react";
import type { Tool } from "@/contracts/tools/tools";

/**
 * Keeps the focus on the tier toggle of a tool whose row moves to the other section, also when the server's refusal
 * moves the row back. React mounts a moved row again, so the browser drops its focus.
 * @returns a function to call with the tool whose tier was pressed
 */
export function useTierFocus(tools: readonly Tool[] | undefined): (tool: Tool) => void {
  const held = useRef<{ name: string; tier: Tool["tier"] } | null>(null);
  useEffect(() => {
    const tool = held.current && tools?.find(({ name }) => name === held.current?.name);
    if (!tool || !held.current || tool.tier === held.current.tier) return;
    held.current.tier = tool.tier;
    // Keeps the focus of a person who went on to another control.
    if (document.activeElement !== document.body) return;
    document.getElementById(`tier-of-${tool.name}`)?.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
  }, [tools]);
  return useCallback((tool) => {
    held.current = { name: tool.name, tier: tool.tier };
  }, []);
}
