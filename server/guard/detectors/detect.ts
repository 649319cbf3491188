import type { Finding, TraceStep, Verdict } from "@/contracts/decision";
import { maskInText } from "@/server/audit/mask-secrets";
import type { GuardedTool } from "../asked-call";
import type { CallOnTrial } from "../call-on-trial";
import type { PolicyConfig } from "../compile-policy";
import { excerpt, visible } from "../excerpt";
import { rememberLatest } from "../remember-latest";
import { allDetectors } from "./all-detectors";
import type { Detector, DetectorSettings, Sighting } from "./detector";
import { compileSensitivePaths } from "./sensitive-paths";

/** What detectors saw in a call, and those of them that could not look. */
export type Detected = { findings: readonly Finding[]; failed: readonly TraceStep[] };

/** A detector with the verdict that it has in a workspace. */
type ActiveDetector = { detector: Detector; verdict: Verdict };

/** Detectors that stand together and are asked together whether there is anything for them. */
type Family = { mayFind: Detector["mayFind"]; members: ActiveDetector[] };

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
  const byTool = new WeakMap<GuardedTool, readonly Family[]>();
  // A call may be decided about more than once, with other rules or after an answer.
  return rememberLatest((call) => {
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

function detectWith(families: readonly Family[], call: CallOnTrial, settings: DetectorSettings): Detected {
  let detected: { findings: Finding[]; failed: TraceStep[] } | null = null;
  for (const { mayFind, members } of families) {
    if (mayFind && !mayHaveFound(mayFind, call)) continue;
    for (const { detector, verdict } of members) {
      const sightings = lookWith(detector, call, settings);
      if (sightings.length === 0) continue;
      detected ??= { findings: [], failed: [] };
      if (sightings === couldNotLook) detected.failed.push(failureOf(detector));
      detected.findings.push(
        findingOf(detector, verdict, sightings === couldNotLook ? [{ message: whyFailed(detector), text: "" }] : sightings),
      );
    }
  }
  return detected ?? nothingDetected;
}

function mayHaveFound(mayFind: (call: CallOnTrial) => boolean, call: CallOnTrial): boolean {
  try {
    return mayFind(call);
  } catch {
    // Its detectors fail the same way then, each of them under its name.
    return true;
  }
}

/** What a detector says that throws. */
const couldNotLook: readonly Sighting[] = [{ message: "", text: "" }];

function lookWith(detector: Detector, call: CallOnTrial, settings: DetectorSettings): readonly Sighting[] {
  try {
    return detector.find(call, settings);
  } catch {
    return couldNotLook;
  }
}

const whyFailed = ({ id }: Detector) => `The detector ${id} could not look at this call, so it counts as having found something.`;

function failureOf(detector: Detector): TraceStep {
  return { ruleId: detector.id, ruleName: detector.title, result: "could_not_evaluate", why: whyFailed(detector) };
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
