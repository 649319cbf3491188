import type { Metadata } from "next";
import { connection } from "next/server";
import { Brand } from "@/components/shell/brand";
import { SignInForm } from "@/components/sign-in/sign-in-form";
import { sameOriginPath } from "@/server/auth/same-origin-path";
import { env } from "@/server/platform/env";
import classes from "./page.module.css";

export const metadata: Metadata = { title: "Sign in" };

type Search = { searchParams: Promise<{ callbackUrl?: string | string[]; error?: string | string[] }> };

export default async function SignInPage({ searchParams }: Search) {
  // Reads the identity provider at request time, because the environment of the build may differ from that of the running process.
  await connection();
  const { callbackUrl, error } = await searchParams;
  return (
    <main className={classes.main}>
      <div className={classes.box}>
        <div className={classes.brand}>
          <Brand />
        </div>
        <h1 className={classes.title}>Sign in</h1>
        <p className={classes.about}>The control plane between AI agents and their tools.</p>
        <SignInForm
          destination={sameOriginPath(callbackUrl)}
          refusal={typeof error === "string" ? error : null}
          provider={env().oidc?.name ?? null}
        />
      </div>
    </main>
  );
}
