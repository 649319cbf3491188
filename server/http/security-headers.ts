/** Headers of every answer. HSTS is missing, because the proxy that terminates TLS sets it. */
export const securityHeaders: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

/** The policy of answers that are not pages: a browser that shows one runs and loads nothing. */
export const apiContentSecurityPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox";

/**
 * Returns the policy of pages: only scripts with the nonce of this answer, and scripts that they load, may run. Inline
 * styles are allowed, because the component library sets sizes and colours in `style` attributes.
 */
export function pageContentSecurityPolicy(nonce: string, { isDev }: { isDev: boolean }): string {
  return [
    "default-src 'self'",
    // React's development build evaluates code to show where an error comes from.
    `script-src 'nonce-${nonce}' 'strict-dynamic'${isDev ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    // Sound and films that tools made are played from memory.
    "media-src 'self' blob:",
    "font-src 'self' data:",
    `connect-src 'self'${isDev ? " ws:" : ""}`,
    "object-src 'none'",
    // Apps of MCP servers, each with a policy of its own; all other addresses refuse to be framed.
    "frame-src 'self'",
    // The worker that shows pushed notifications.
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
