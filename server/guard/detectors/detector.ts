import type { Finding } from "@/contracts/decisions/decision";
import type { AnalyzedCall } from "../call/analyzed-call";
import type { GuardedTool } from "../call/guard-request";
import type { AllowedHosts } from "../hosts/allowed-hosts";
import type { SensitivePaths } from "../paths/sensitive-globs";

/** A danger found in a call. The conversion to a finding masks secrets in both texts and shortens them. */
export type DetectorMatch = {
  /** One sentence for people and the model: what the call would do, with the piece of the call that shows it. */
  message: string;
  /** The piece of the arguments, as it was written. */
  text: string;
};

/** A shared empty list, because nearly every detector finds nothing in nearly every call. */
export const noDetectorMatches: readonly DetectorMatch[] = [];

/** The admin's settings that detectors depend on, compiled with the policy. */
export type DetectorSettings = { sensitivePaths: SensitivePaths; allowedHosts: AllowedHosts };

/** A built-in recogniser of one danger: data, which the console lists, and pure functions, which the guard runs. */
export type Detector = {
  /**
   * Stable, because settings, audit events and approvals refer to it. The part before the dot is the family:
   * `workspace.escape`.
   */
  id: string;
  title: string;
  severity: Finding["severity"];
  /** The verdict on a call with a finding, unless an admin sets another one. */
  verdict: Exclude<Finding["verdict"], "allow">;
  /**
   * Returns whether the call would fail anyway. The call is then denied with the fix, because asking a person would be
   * pointless.
   */
  isFutile?: (call: AnalyzedCall) => boolean;
  /** One or two sentences for people: why the finding is dangerous. */
  explanation: string;
  /** The advice for people and the model, in one sentence. */
  fix: string;
  /** Whether an admin may make the detector milder or switch it off; making it stricter is always possible. */
  relaxable: boolean;
  /** In the sandbox the danger does no harm, so a finding in a tool that runs its programs there is a note and decides nothing. */
  confinedBySandbox?: boolean;
  /**
   * Returns whether a finding is a note in a call that a client runs in a project on its own machine, because the call's
   * effects decide there.
   */
  isEverydayWork?: (call: AnalyzedCall) => boolean;
  /** The danger lies outside of the sandbox, so a finding is a note where a running program cannot get out to it any more. */
  needsOpening?: "machine" | "network";
  /** Returns whether the detector can find anything in calls of this tool; asked once per tool and policy. */
  appliesTo: (tool: GuardedTool) => boolean;
  /**
   * Returns whether the detectors of this family have anything to look for in a call. Neighbouring detectors share the
   * function, so that it runs once for all of them. An error counts as true. Absent: `find` always runs.
   */
  mayFind?: (call: AnalyzedCall) => boolean;
  /**
   * Returns the matches; the first is told. The time has to be linear in the size of the call, which tests check with
   * 64 KB of hostile text. An error counts as a match.
   */
  find: (call: AnalyzedCall, settings: DetectorSettings) => readonly DetectorMatch[];
};
