import { doctorEndpoints } from "@/contracts/doctor";
import { runDoctor } from "@/server/families/doctor/run-doctor";
import { route } from "@/server/http/route";

export const GET = route(doctorEndpoints.get, ({ actor }) => runDoctor(actor));
