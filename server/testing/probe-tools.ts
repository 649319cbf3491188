import { z } from "zod";
import { defineTool, toolResult } from "@/server/tools/define-tool";

const input = z.object({ text: z.string().default("") });
/** Holds a tool until the test opens it. */
export type Gate = { opened: Promise<void>; open: () => void; reached: Promise<void>; reach: () => void };

/** Creates tools that record their calls in the stage's log. */
export const probes = (stage: { log: string[]; gate: Gate }) => [
  defineTool({
    name: "look",
    title: "Look",
    description: "Reads",
    family: "probe",
    tier: "core",
    effect: "read",
    needs: [],
    input,
    execute: async ({ text }) => {
      stage.log.push(`look ${text}`);
      return `saw ${text}`;
    },
  }),
  defineTool({
    name: "change",
    title: "Change",
    description: "Writes",
    family: "probe",
    tier: "core",
    effect: "write",
    needs: [],
    input,
    execute: async ({ text }) => {
      stage.log.push(`change ${text}`);
      return `changed ${text}`;
    },
  }),
  defineTool({
    name: "hold",
    title: "Hold",
    description: "Waits at the gate and takes no notice of its signal",
    family: "probe",
    tier: "core",
    effect: "read",
    needs: [],
    timeoutMs: 2_000,
    input,
    execute: async ({ text }) => {
      stage.gate.reach();
      await stage.gate.opened;
      stage.log.push(`hold ${text}`);
      return "held";
    },
  }),
  defineTool({
    name: "hang",
    title: "Hang",
    description: "Never answers",
    family: "probe",
    tier: "core",
    effect: "read",
    needs: [],
    timeoutMs: 100,
    input,
    execute: () => new Promise(() => {}),
  }),
  defineTool({
    name: "fall",
    title: "Fall",
    description: "Throws",
    family: "probe",
    tier: "core",
    effect: "read",
    needs: [],
    input,
    execute: async () => {
      throw new Error("it fell");
    },
  }),
  defineTool({
    name: "flood",
    title: "Flood",
    description: "Answers a lot",
    family: "probe",
    tier: "core",
    effect: "read",
    needs: [],
    input: z.object({ chars: z.int() }),
    execute: async ({ chars }) => `${"x".repeat(chars - 4)}last`,
  }),
  defineTool({
    name: "structure",
    title: "Structure",
    description: "Answers structured content",
    family: "probe",
    tier: "core",
    effect: "read",
    needs: [],
    input: z.object({ items: z.int() }),
    execute: async ({ items }) =>
      toolResult({ text: "small", structuredContent: { items: Array.from({ length: items }, (_, index) => index) } }),
  }),
  defineTool({
    name: "sorry",
    title: "Sorry",
    description: "Answers an error in band, with a picture",
    family: "probe",
    tier: "core",
    effect: "read",
    needs: [],
    input,
    execute: async () =>
      toolResult({ text: "no luck", isError: true, files: [{ name: "a.png", mediaType: "image/png", bytes: new Uint8Array([1, 2, 3]) }] }),
  }),
];
