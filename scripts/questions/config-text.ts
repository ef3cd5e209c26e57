/** The configuration of the world of the pages. */
export const CONFIG_TEXT = `[server]
listen = "127.0.0.1:8080"

[storage]
directory = "/var/lib/bendre"

[metrics]
listen = "127.0.0.1:9464"

[operators.orange]
name = "Orange Burkina Faso"
prefixes = ["22605", "22606", "22607", "22674", "22675", "22676"]
price = 15
[[operators.orange.connections]]
host = "smsc.orange.example"
system_id = "bendre"
password = "\${ORANGE_SMPP_PASSWORD}"
throughput = 50

[operators.moov]
name = "Moov Africa"
prefixes = ["22601", "22602", "22670", "22671"]
price = 12
[[operators.moov.connections]]
host = "smsc.moov.example"
system_id = "bendre"
password = "\${MOOV_SMPP_PASSWORD}"

[operators.telecel]
name = "Telecel Faso"
prefixes = ["22658", "22678", "22679"]
price = 14
[[operators.telecel.connections]]
host = "smsc.telecel.example"
system_id = "bendre"
password = "\${TELECEL_SMPP_PASSWORD}"
`;
