/** Who commands this agent, by its own clock: app/fleet/bus has the policy. */
export interface AgentLease {
  acquire(holder: string, nowNs: number): { fence: number } | { heldBy: string; forNs: number };
  /** False where it is over. */
  renew(fence: number, nowNs: number): boolean;
  release(fence: number, nowNs: number): unknown;
  isCurrent(fence: number, nowNs: number): boolean;
}
