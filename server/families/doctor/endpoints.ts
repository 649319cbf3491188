import { doctorEndpoints } from "@/contracts/operations/doctor";
import { answer } from "@/server/endpoints/answer";
import { runDoctor } from "./run-doctor";

export const doctorAnswers = answer(doctorEndpoints, {
  get: ({ actor }) => runDoctor(actor),
});
