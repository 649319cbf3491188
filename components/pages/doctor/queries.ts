import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { doctorEndpoints } from "@/contracts/browser/operations/doctor";

export const doctorQueries = {
  get: () => queryOptions({ queryKey: ["doctor"], queryFn: ({ signal }) => call(doctorEndpoints.get, {}, { signal }) }),
};
