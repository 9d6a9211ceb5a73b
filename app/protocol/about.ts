/** Whose work is in this app, on what terms, and which versions of it run. */
export interface About {
  versions: { whiteline: string; electron?: string; chrome?: string; node: string };
  /** In the order in which they are shown. */
  notices: Notice[];
  /** Of the console in a browser. */
  served?: ServedSettings;
}

/** What the process that serves a page has for each setting; empty: the usual. */
export type ServedSettings = Readonly<
  Record<
    | ('discoveryServers' | 'searchHosts' | 'ndiGroups' | 'networkInterface' | 'thresholds' | 'runsFolder')
    | ('reportProject' | 'reportClient' | 'reportOperator' | 'reportLogo' | 'reportPaper')
    | ('nmosNode' | 'nmosRegistry' | 'nmosHost' | 'nmosPort' | 'nmosReceivers'),
    string
  >
>;

export type NoticeId = 'licence' | 'notice' | 'libraries' | 'ndi';

export interface Notice {
  id: NoticeId;
  /** Null if the file is not beside this copy of the app. */
  text: string | null;
}
