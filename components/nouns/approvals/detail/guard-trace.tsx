"use client";

import dynamic from "next/dynamic";
import { orUnloaded } from "@/components/kit/ui/states/unloaded-part";

/** Trace with every tried rule; loaded on demand. */
export const GuardTrace = dynamic(() =>
  import("@/components/nouns/guard/try/decision-trace").then(({ DecisionTrace }) => DecisionTrace).catch(orUnloaded),
);
