import { describe, expect, test } from "vitest";
import { buildRequest, noDetectorSettings, readTool } from "@/server/testing/guard/guarded-calls";
import { analyzeCall } from "../call/analyzed-call";
import { compileDetectors } from "./detect";
import type { Detector } from "./detector";

const text = { title: "A test", severity: "high", explanation: "Why.", fix: "Not so.", relaxable: true } as const;
const call = () => analyzeCall(buildRequest(readTool, { path: "a" }));

function detectorOf(id: string, more: Partial<Detector> = {}): Detector {
  return {
    ...text,
    id,
    verdict: "require_approval",
    appliesTo: () => true,
    find: () => [{ message: `${id} is there.`, text: "a" }],
    ...more,
  };
}

/** Returns the ids of the findings that a list of detectors makes in an ordinary call. */
const foundBy = (detectors: Detector[]) =>
  compileDetectors({}, noDetectorSettings, detectors)(call()).findings.map(({ detector }) => detector);

describe("a family of detectors", () => {
  test("is asked once whether there is anything for it in a call", () => {
    let asked = 0;
    const mayFind = () => {
      asked += 1;
      return true;
    };
    expect(foundBy([detectorOf("a.one", { mayFind }), detectorOf("a.two", { mayFind })])).toEqual(["a.one", "a.two"]);
    expect(asked).toBe(1);
  });

  test("that has nothing to look for is not asked further, and others are", () => {
    const mayFind = () => false;
    const other = () => true;
    const detectors = [
      detectorOf("b.before", { mayFind: other }),
      detectorOf("a.one", { mayFind }),
      detectorOf("a.two", { mayFind }),
      detectorOf("c.alone"),
      detectorOf("d.alone"),
      detectorOf("b.after", { mayFind: other }),
    ];
    expect(foundBy(detectors)).toEqual(["b.before", "c.alone", "d.alone", "b.after"]);
  });

  test("that cannot say whether there is anything is asked in earnest", () => {
    const mayFind = () => JSON.parse("{") as boolean;
    expect(foundBy([detectorOf("a.one", { mayFind }), detectorOf("a.two", { mayFind, find: () => [] })])).toEqual(["a.one"]);
  });
});

describe("what detectors of a policy saw", () => {
  test("is told with one sighting and the number of the others", () => {
    const sightings = (count: number) => Array.from({ length: count }, (_, index) => ({ message: `Sighting ${index}.`, text: `${index}` }));
    const messageOf = (count: number) =>
      compileDetectors({}, noDetectorSettings, [detectorOf("a.one", { find: () => sightings(count) })])(call()).findings[0]?.message;
    expect(messageOf(1)).toBe("Sighting 0.");
    expect(messageOf(2)).toBe("Sighting 0 (2×).");
    expect(messageOf(3)).toBe("Sighting 0 (3×).");
    expect(messageOf(0)).toBeUndefined();
  });

  test("names each detector that could not look, among those that could", () => {
    const broken = detectorOf("a.broken", { find: () => JSON.parse("{") as [] });
    const { findings, failed } = compileDetectors({}, noDetectorSettings, [detectorOf("a.one"), broken, detectorOf("a.two")])(call());
    const why = "The detector a.broken could not look at this call, so it counts as having found something.";
    expect(failed).toEqual([{ ruleId: "a.broken", ruleName: "A test", result: "could_not_evaluate", why }]);
    expect(findings.map(({ detector }) => detector)).toEqual(["a.one", "a.broken", "a.two"]);
    expect(findings[1]).toMatchObject({ message: why, excerpt: "", verdict: "require_approval" });
  });

  test("is nothing where all look and see nothing, with no step of the trace", () => {
    const detect = compileDetectors({}, noDetectorSettings, [detectorOf("a.one", { find: () => [] })]);
    expect(detect(call())).toEqual({ findings: [], failed: [] });
  });

  test("is found once for a call, however often it is decided, and anew for the next one", () => {
    let looks = 0;
    const counting = detectorOf("a.one", {
      find: () => {
        looks += 1;
        return [];
      },
    });
    const detect = compileDetectors({}, noDetectorSettings, [counting]);
    const one = call();
    detect(one);
    detect(one);
    expect(looks).toBe(1);
    detect(call());
    expect(looks).toBe(2);
  });

  test("depends on what the admin set: off sees nothing, a verdict takes the place of its own", () => {
    const settings = (setting: object) => ({ "a.one": { enabled: true, ...setting } });
    const findingsWith = (setting: object) =>
      compileDetectors(settings(setting), noDetectorSettings, [detectorOf("a.one")])(call()).findings;
    expect(findingsWith({ enabled: false })).toEqual([]);
    expect(findingsWith({ verdict: "deny" })).toMatchObject([{ detector: "a.one", verdict: "deny" }]);
    expect(findingsWith({})).toMatchObject([{ detector: "a.one", verdict: "require_approval" }]);
  });
});
