import { vi } from "vitest";
import { patienceMs } from "./patience";

type PatientWait = typeof vi.waitFor & { isPatient?: true };

// Vitest has a setting for `expect.poll` only; `vi.waitFor` gives up after a second. A test may wait longer, never shorter. Test
// files may share a process.
const hasty: PatientWait = vi.waitFor;
if (!hasty.isPatient) {
  const patient: PatientWait = (callback, options = {}) => {
    const given = typeof options === "number" ? { timeout: options } : options;
    return hasty(callback, { ...given, timeout: Math.max(patienceMs, given.timeout ?? 0) });
  };
  patient.isPatient = true;
  vi.waitFor = patient;
}
