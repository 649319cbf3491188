import { doctorEndpoints } from "@/contracts/doctor";
import { answer } from "@/server/endpoints/answer";
import { runDoctor } from "./run-doctor";

export const doctorAnswers = answer(doctorEndpoints, {
  get: ({ actor }) => runDoctor(actor),
});
