import type { Metadata } from "next";
import { connection } from "next/server";
import { Brand } from "@/components/shell/brand";
import { SignInForm } from "@/components/sign-in/sign-in-form";
import { ownPath } from "@/server/auth/own-path";
import { env } from "@/server/platform/env";
import classes from "./page.module.css";

export const metadata: Metadata = { title: "Sign in" };

type Search = { searchParams: Promise<{ callbackUrl?: string | string[]; error?: string | string[] }> };

export default async function SignInPage({ searchParams }: Search) {
  // The identity provider comes from the environment of the process that runs, not of the one that built.
  await connection();
  const { callbackUrl, error } = await searchParams;
  return (
    <main className={classes.main}>
      <div className={classes.box}>
        <div className={classes.brand}>
          <Brand />
        </div>
        <h1 className={classes.title}>Sign in</h1>
        <SignInForm
          destination={ownPath(callbackUrl)}
          refusal={typeof error === "string" ? error : null}
          provider={env().oidc?.name ?? null}
        />
      </div>
    </main>
  );
}
