/** What an agent or a console needs to come into the bus of a site. */
export interface JoinFile {
  version: 1;
  /** tls://host:port */
  servers: string[];
  /** PEM */
  certificateAuthority: string;
  user: string;
  secret: string;
  /** Null: the console's. */
  agent: { id: string; name: string } | null;
}
