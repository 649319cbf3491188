import type { Metadata } from "next";
import { connection } from "next/server";
import { Entrance } from "@/components/pages/sign-in/entrance";
import { SignInForm } from "@/components/pages/sign-in/sign-in-form";
import { sameOriginPath } from "@/server/auth/same-origin-path";
import { env } from "@/server/platform/env";

export const metadata: Metadata = { title: "Sign in" };

type Search = { searchParams: Promise<{ callbackUrl?: string | string[]; error?: string | string[] }> };

export default async function SignInPage({ searchParams }: Search) {
  // Reads the identity provider at request time, because the environment of the build may differ from that of the running process.
  await connection();
  const { callbackUrl, error } = await searchParams;
  return (
    <Entrance title="Sign in" about="The control plane between AI agents and their tools.">
      <SignInForm
        destination={sameOriginPath(callbackUrl)}
        refusal={typeof error === "string" ? error : null}
        provider={env().oidc?.name ?? null}
      />
    </Entrance>
  );
}
