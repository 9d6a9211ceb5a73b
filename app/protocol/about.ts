/** Whose work is in this app, on what terms, and which versions of it run. */
export interface About {
  versions: { whiteline: string; electron?: string; chrome?: string; node: string };
  /** In the order in which they are shown. */
  notices: Notice[];
}

export type NoticeId = 'licence' | 'notice' | 'libraries' | 'ndi';

export interface Notice {
  id: NoticeId;
  /** Null where the file is not beside this copy of the app. */
  text: string | null;
}
