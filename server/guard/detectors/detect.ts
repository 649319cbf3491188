import type { Finding, TraceStep, Verdict } from "@/contracts/guard";
import { maskInText } from "@/server/audit/mask-secrets";
import type { GuardedTool } from "../asked-call";
import type { CallOnTrial } from "../call-on-trial";
import type { PolicyConfig } from "../compile-policy";
import { excerpt, visible } from "../excerpt";
import { allDetectors } from "./all-detectors";
import type { Detector, DetectorSettings, Sighting } from "./detector";
import { compileSensitivePaths } from "./sensitive-paths";

/** What detectors saw in a call, and those of them that could not look. */
export type Detected = { findings: readonly Finding[]; failed: readonly TraceStep[] };

/** A detector with the verdict that it has in a workspace. */
type ActiveDetector = { detector: Detector; verdict: Verdict };

const nothingDetected: Detected = { findings: [], failed: [] };
const maxMessageChars = 500;

/**
 * The detectors of a policy as one function. Which of them can see anything in a tool's calls is found once a tool; a
 * detector that throws counts as having seen something.
 */
export function compileDetectors(
  { detectors: settings, sensitivePaths }: Pick<PolicyConfig, "detectors" | "sensitivePaths">,
  all: readonly Detector[] = allDetectors,
): (call: CallOnTrial) => Detected {
  const detectorSettings: DetectorSettings = { sensitivePaths: compileSensitivePaths(sensitivePaths) };
  const active = all.flatMap((detector): ActiveDetector[] => {
    const { enabled = true, verdict = detector.verdict } = settings[detector.id] ?? {};
    return enabled ? [{ detector, verdict }] : [];
  });
  // A row of the registry is the same object from call to call.
  const byTool = new WeakMap<GuardedTool, readonly ActiveDetector[]>();
  // A call may be decided about more than once, with other rules or after an answer.
  const known = new WeakMap<CallOnTrial, Detected>();
  return (call) => {
    const before = known.get(call);
    if (before) return before;
    let applying = byTool.get(call.tool);
    if (!applying) {
      applying = active.filter(({ detector }) => detector.appliesTo(call.tool));
      byTool.set(call.tool, applying);
    }
    const detected = detectWith(applying, call, detectorSettings);
    known.set(call, detected);
    return detected;
  };
}

function detectWith(active: readonly ActiveDetector[], call: CallOnTrial, settings: DetectorSettings): Detected {
  let findings: Finding[] | null = null;
  let failed: TraceStep[] | null = null;
  for (const { detector, verdict } of active) {
    let sightings: readonly Sighting[];
    try {
      sightings = detector.find(call, settings);
    } catch {
      const why = `The detector ${detector.id} could not look at this call, so it counts as having found something.`;
      failed ??= [];
      failed.push({ ruleId: detector.id, ruleName: detector.title, result: "could_not_evaluate", why });
      sightings = [{ message: why, text: "" }];
    }
    if (sightings.length === 0) continue;
    findings ??= [];
    findings.push(findingOf(detector, verdict, sightings));
  }
  return findings ? { findings, failed: failed ?? [] } : nothingDetected;
}

/** What a detector saw as one finding: the first sighting is told, the others are counted. */
function findingOf(
  { id, severity, explanation, fix }: Detector,
  verdict: Verdict,
  [first = { message: "", text: "" }, ...others]: readonly Sighting[],
): Finding {
  const more = others.length > 0 ? ` And ${others.length} more like it.` : "";
  const message = `${visible(maskInText(first.message)).slice(0, maxMessageChars).toWellFormed()}${more}`;
  return { detector: id, severity, verdict, message, excerpt: excerpt(first.text), explanation, fix };
}
