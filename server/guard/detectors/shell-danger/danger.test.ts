import { expect, test } from "vitest";
import { seenIn } from "@/server/testing/seen-in";
import { shellDangers } from "./dangers-in";

test.each(shellDangers)("people are told what $id is, why it is asked about and what to do instead", (danger) => {
  expect(danger).toMatchObject({
    id: expect.stringMatching(/^shell\.[a-z_]+$/),
    title: expect.stringMatching(/^\S.{5,}[^.]$/),
    severity: expect.stringMatching(/^(?:low|medium|high|critical)$/),
    verdict: expect.stringMatching(/^(?:deny|require_approval)$/),
    explanation: expect.stringMatching(/^\S.{20,}\.$/),
    fix: expect.stringMatching(/^\S.{9,}\.$/),
  });
});

test("no two dangers have one name or title", () => {
  expect(new Set(shellDangers.map(({ id }) => id)).size).toBe(shellDangers.length);
  expect(new Set(shellDangers.map(({ title }) => title)).size).toBe(shellDangers.length);
});

test("of one danger, five sightings are kept", () => {
  expect(seenIn("rm a; rm b; rm c; rm d; rm e; rm f").filter((sighting) => sighting.startsWith("delete:"))).toHaveLength(5);
});
