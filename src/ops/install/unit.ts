/** The systemd unit, and whether one that is there was edited. */
import { createHash } from "node:crypto";

/** The line that a unit begins with: a digest of all that stands below it. */
const SEAL = /^# bendre install: ([0-9a-f]{64})\n/;

/** The unit for an executable at `executable` that runs as `user`, sealed with a digest of itself. */
export function unitText(executable: string, user: string): string {
  const body = unitBody(executable, user);
  return `# bendre install: ${digestOf(body)}\n${body}`;
}

/** Whether a unit is as it was written, by this version or another. */
export function isUnedited(unit: string): boolean {
  const digest = SEAL.exec(unit)?.[1];
  return digest !== undefined && digest === digestOf(unit.replace(SEAL, ""));
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** What sysusers.d(5) makes the user from. */
export function sysusersText(user: string): string {
  return `u ${user} - "Bendre, bulk SMS appliance" /var/lib/bendre /usr/sbin/nologin\n`;
}

function unitBody(executable: string, user: string): string {
  return `# Settings of your own belong into a file beside it: systemctl edit bendre. They stay when this file is brought up to date.
# Examples: ReadWritePaths=/mnt/backup for backup.copy_to, AmbientCapabilities=CAP_NET_BIND_SERVICE together with
# CapabilityBoundingSet=CAP_NET_BIND_SERVICE and PrivateUsers=no for a port below 1024.
[Unit]
Description=Bendre, bulk SMS appliance
Wants=network-online.target
After=network-online.target time-sync.target
StartLimitIntervalSec=0

[Service]
Type=notify
User=${user}
Group=${user}
Environment=BENDRE_CONFIG=/etc/bendre/config.toml
EnvironmentFile=-/etc/bendre/environment
UnsetEnvironment=BUN_BE_BUN BUN_OPTIONS
ExecStart=${executable} serve --config /etc/bendre/config.toml
ExecReload=${executable} config reload --config /etc/bendre/config.toml
StandardOutput=null
StandardError=journal
Restart=on-failure
RestartSec=5
# A newer executable has had the data: starting again does not help.
RestartPreventExitStatus=3
# The first start of a new version copies the data before it changes them, however long that takes.
TimeoutStartSec=infinity
TimeoutStopSec=15
WatchdogSec=60
LimitNOFILE=65536
# A dump of memory would hold passwords, keys and texts.
LimitCORE=0
UMask=0077
StateDirectory=bendre
StateDirectoryMode=0700
WorkingDirectory=/var/lib/bendre

# No MemoryDenyWriteExecute: it compiles as it runs.
NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
PrivateUsers=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RemoveIPC=yes
KeyringMode=private
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`;
}
