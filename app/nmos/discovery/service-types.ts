/** Service types of NMOS. Sources: IS-04 v1.3 Discovery, IS-09 v1.0 Discovery: Operation. */
export const serviceTypes = {
  register: '_nmos-register._tcp',
  /** The Registration API as nodes up to v1.2 look for it. */
  registration: '_nmos-registration._tcp',
  query: '_nmos-query._tcp',
  node: '_nmos-node._tcp',
  system: '_nmos-system._tcp',
} as const;

export type ServiceType = (typeof serviceTypes)[keyof typeof serviceTypes];

/** The domain of multicast DNS, RFC 6762 section 3. */
export const multicastDomain = 'local';
