const PROXY_VARIABLES = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];

/** Forgets proxy variables of the environment: our own requests would go by way of a proxy. */
export function ignoreProxies(): void {
  for (const name of PROXY_VARIABLES) delete process.env[name];
}
