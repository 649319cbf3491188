import { useQuery } from "@tanstack/react-query";
import type { RE2JS } from "re2js";

/** Compiles a pattern in the browser to mark its matches. The engine is loaded on demand; null until then, and for an invalid pattern. */
export function usePattern(pattern: string | null): RE2JS | null {
  const { data } = useQuery({
    queryKey: ["pattern", pattern],
    queryFn: () => compile(pattern ?? ""),
    enabled: pattern !== null && pattern !== "",
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
  return data ?? null;
}

async function compile(pattern: string): Promise<RE2JS | null> {
  const { RE2JS: Engine } = await import("re2js");
  try {
    return Engine.compile(pattern);
  } catch {
    return null;
  }
}
