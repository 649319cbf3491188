import { type Finding, severities, type TraceStep, type Verdict } from "@/contracts/decisions/decision";
import { maskInText } from "@/server/secrets/mask-secrets";
import type { AnalyzedCall } from "../call/analyzed-call";
import type { GuardedTool } from "../call/guard-request";
import { runsCommands } from "../call/tool-facts";
import { isOutOfReach } from "../effects/program-place";
import { excerpt, visible } from "../excerpt";
import { memoizeLast } from "../memoize-last";
import type { PolicyConfig } from "../policy-config";
import { allDetectors } from "./all-detectors";
import type { Detector, DetectorMatch, DetectorSettings } from "./detector";

/** The findings in a call, the most severe first, and trace steps for the detectors that failed. */
export type Detected = { findings: readonly Finding[]; failed: readonly TraceStep[] };

/** A detector with the verdict that an admin set for it; null when the detector's own verdict counts. */
type ActiveDetector = { detector: Detector; setVerdict: Verdict | null };

/** Neighbouring detectors that share one `mayFind`. */
type Family = { mayFind: Detector["mayFind"]; members: ActiveDetector[] };

const nothingDetected: Detected = { findings: [], failed: [] };
const maxMessageChars = 500;

/**
 * Compiles the detectors of a policy to one function. The detectors that apply to a tool are found once per tool. A
 * detector that throws counts as having found something.
 */
export function compileDetectors(
  settings: PolicyConfig["detectors"],
  detectorSettings: DetectorSettings,
  all: readonly Detector[] = allDetectors,
): (call: AnalyzedCall) => Detected {
  const active = all.flatMap((detector): ActiveDetector[] => {
    const { enabled = true, verdict } = settings[detector.id] ?? {};
    if (!enabled) return [];
    return [{ detector, setVerdict: verdict ?? null }];
  });
  // A registered tool is the same object from call to call.
  const byTool = new WeakMap<GuardedTool, readonly Family[]>();
  // Memoized, because a call may be decided more than once: with other rules or after an approval.
  return memoizeLast((call) => {
    let applying = byTool.get(call.tool);
    if (!applying) {
      applying = familiesOf(active.filter(({ detector }) => detector.appliesTo(call.tool)));
      byTool.set(call.tool, applying);
    }
    return detectWith(applying, call, detectorSettings);
  });
}

function familiesOf(detectors: readonly ActiveDetector[]): Family[] {
  const families: Family[] = [];
  for (const active of detectors) {
    const { mayFind } = active.detector;
    const last = families.at(-1);
    if (mayFind && last?.mayFind === mayFind) last.members.push(active);
    else families.push({ mayFind, members: [active] });
  }
  return families;
}

function detectWith(families: readonly Family[], call: AnalyzedCall, settings: DetectorSettings): Detected {
  let detected: { findings: Finding[]; failed: TraceStep[] } | null = null;
  for (const { mayFind, members } of families) {
    if (mayFind && !unfinishedDetector(mayFind, call)) continue;
    for (const { detector, setVerdict } of members) {
      const sightings = runDetector(detector, call, settings);
      if (sightings.length === 0) continue;
      detected ??= { findings: [], failed: [] };
      if (sightings === failedDetector) detected.failed.push(failureOf(detector));
      const verdict = setVerdict ?? ownVerdict(detector, call);
      detected.findings.push(
        findingOf(detector, verdict, sightings === failedDetector ? [{ message: whyFailed(detector), text: "" }] : sightings),
      );
    }
  }
  // A reason tells one finding; of a private host that is its address, not that the host is a new one.
  detected?.findings.sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
  return detected ?? nothingDetected;
}

/** Returns a detector's own verdict on a call with findings. */
function ownVerdict({ verdict, confinedBySandbox, isEverydayWork, needsOpening, isFutile }: Detector, call: AnalyzedCall): Verdict {
  if (call.context.machine && isEverydayWork?.(call)) return "allow";
  // A call that leaves the sandbox was analyzed as if there were none.
  if (call.context.sandboxed && runsCommands(call.tool)) {
    if (confinedBySandbox) return "allow";
    if (needsOpening && isOutOfReach(needsOpening, call.context.place)) return "allow";
  }
  return isFutile?.(call) ? "deny" : verdict;
}

function unfinishedDetector(mayFind: (call: AnalyzedCall) => boolean, call: AnalyzedCall): boolean {
  try {
    return mayFind(call);
  } catch {
    // The detectors run and fail in the same way, so each of them is reported under its own name.
    return true;
  }
}

/** Stands for the matches of a detector that threw. */
const failedDetector: readonly DetectorMatch[] = [{ message: "", text: "" }];

function runDetector(detector: Detector, call: AnalyzedCall, settings: DetectorSettings): readonly DetectorMatch[] {
  try {
    return detector.find(call, settings);
  } catch {
    return failedDetector;
  }
}

const whyFailed = ({ id }: Detector) => `The detector ${id} could not look at this call, so it counts as having found something.`;

function failureOf(detector: Detector): TraceStep {
  return { ruleId: detector.id, ruleName: detector.title, result: "could_not_evaluate", why: whyFailed(detector) };
}

/** Builds one finding of a detector's matches: the first match is told, the others are counted. */
function findingOf(
  { id, severity, explanation, fix }: Detector,
  verdict: Verdict,
  [first = { message: "", text: "" }, ...others]: readonly DetectorMatch[],
): Finding {
  const words = visible(maskInText(first.message)).slice(0, maxMessageChars).toWellFormed();
  const message = others.length > 0 ? `${words.replace(/\.$/, "")} (${others.length + 1}×).` : words;
  return { detector: id, severity, verdict, message, excerpt: excerpt(first.text), explanation, fix };
}
