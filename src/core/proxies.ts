/** Keeps our own requests off the proxies that the environment names. */
const PROXY_VARIABLES = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];

/** Deletes proxy variables from the environment: our own requests would otherwise go over a proxy. */
export function ignoreProxies(): void {
  for (const name of PROXY_VARIABLES) delete process.env[name];
}
