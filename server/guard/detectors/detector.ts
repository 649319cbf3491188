import type { Finding } from "@/contracts/decision";
import type { GuardedTool } from "../asked-call";
import type { CallOnTrial } from "../call-on-trial";
import type { SensitivePaths } from "./sensitive-paths";

/** A danger seen in a call. Whoever makes a finding of it masks secrets in both texts, and cuts them. */
export type Sighting = {
  /** One sentence for people and the model: what the call would do, with the piece of it that says so. */
  message: string;
  /** The piece of the arguments, as it was written. */
  text: string;
};

/** What nearly every detector answers about nearly every call. */
export const noSightings: readonly Sighting[] = [];

/** What an admin set that detectors depend on, compiled with the policy. */
export type DetectorSettings = { sensitivePaths: SensitivePaths };

/** A built-in recogniser of one danger. Data and two pure functions: the console lists the data, the guard runs the functions. */
export type Detector = {
  /** Stable: settings, audit and approvals name it. The part before the dot is its family: `workspace.escape`. */
  id: string;
  title: string;
  severity: Finding["severity"];
  /** What a call gets in which it sees something, unless an admin says otherwise. */
  verdict: Exclude<Finding["verdict"], "allow">;
  /** Why it is dangerous, in one or two sentences for people. */
  explanation: string;
  /** What to do instead, in one sentence for people and the model. */
  fix: string;
  /** Whether an admin may make it milder or switch it off; making it stricter is always possible. */
  relaxable: boolean;
  /** Whether it can see anything in calls of this tool; asked once a tool and policy. */
  appliesTo: (tool: GuardedTool) => boolean;
  /**
   * Whether there is anything in a call for the detectors of its family, who share this function: it is asked once for
   * all of them. What it throws counts as yes. Absent: the detector looks for itself.
   */
  mayFind?: (call: CallOnTrial) => boolean;
  /**
   * What it sees, the first being the one that is told. Time grows with the size of the call and never faster: it is
   * tried on 64 KB of hostile text. What it throws counts as seen.
   */
  find: (call: CallOnTrial, settings: DetectorSettings) => readonly Sighting[];
};
