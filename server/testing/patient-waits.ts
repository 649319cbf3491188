import { vi } from "vitest";
import { patienceMs } from "./patience";

type PatientWait = typeof vi.waitFor & { isPatient?: true };

// Vitest has a setting for `expect.poll` only; `vi.waitFor` gives up after a second. Test files may share a process.
const hasty: PatientWait = vi.waitFor;
if (!hasty.isPatient) {
  const patient: PatientWait = (callback, options) =>
    hasty(callback, { ...(typeof options === "number" ? {} : options), timeout: patienceMs });
  patient.isPatient = true;
  vi.waitFor = patient;
}
