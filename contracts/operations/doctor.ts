import { z } from "zod";
import { Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";

/** `skipped`: the check could not run, or was not asked for. */
export const checkStatuses = ["ok", "warning", "failed", "skipped"] as const;
export type CheckStatus = (typeof checkStatuses)[number];

export const DoctorCheck = z
  .object({
    name: z.string().describe("The part of the product that was checked."),
    status: z.enum(checkStatuses),
    sentence: z.string().describe("What the check found."),
    wayOut: z.string().nullable().describe("What to do about it; null when nothing has to be done."),
    link: z
      .object({ label: z.string(), path: z.string() })
      .nullable()
      .describe("The page of the console on which the cause can be repaired."),
  })
  .meta({ id: "DoctorCheck" });
export type DoctorCheck = z.infer<typeof DoctorCheck>;

export const Diagnosis = z
  .object({
    overall: z.enum(["ok", "warning", "failed"]).describe("The worst status of all checks."),
    checkedAt: Timestamp,
    items: z.array(DoctorCheck).describe("The worst first."),
  })
  .meta({ id: "Diagnosis" });
export type Diagnosis = z.infer<typeof Diagnosis>;

export const doctorEndpoints = {
  get: endpoint({
    method: "GET",
    path: "/api/v1/doctor",
    summary: "Check what Handrail needs: tools, database, MCP servers, sandbox, disk and clock",
    permission: "admin",
    response: Diagnosis,
  }),
};

export const doctorContract = defineContract({
  reference: { name: "Doctor", description: "What works on this replica, what does not, and the way out." },
  endpoints: doctorEndpoints,
  navigation: { label: "Doctor", path: "/doctor", icon: "IconStethoscope", key: "d", group: "admin", after: "/audit" },
});
