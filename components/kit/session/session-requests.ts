/** Requests to next-auth's own routes; its browser client is larger and keeps a session state that no view reads. */
const authPath = "/api/auth";

async function post(action: string, fields: Record<string, string>): Promise<{ isOk: boolean; url: string }> {
  const { csrfToken } = (await (await fetch(`${authPath}/csrf`)).json()) as { csrfToken: string };
  const response = await fetch(`${authPath}/${action}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ ...fields, csrfToken, json: "true" }),
  });
  const { url } = (await response.json()) as { url: string };
  return { isOk: response.ok, url };
}

/** @returns the code of a refusal; null after a sign-in */
export async function signInWithPassword(email: string, password: string): Promise<string | null> {
  const { isOk, url } = await post("callback/credentials", { email, password, redirect: "false", callbackUrl: window.location.href });
  const error = new URL(url, window.location.href).searchParams.get("error");
  return error ?? (isOk ? null : "unavailable");
}

/** Redirects to the identity provider, which returns the person to the path. */
export async function signInWithProvider(callbackUrl: string): Promise<void> {
  window.location.assign((await post("signin/oidc", { callbackUrl })).url);
}

/** Ends the session and opens the path. */
export async function signOut(callbackUrl: string): Promise<void> {
  window.location.assign((await post("signout", { callbackUrl })).url);
}
