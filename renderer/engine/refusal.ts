import { create } from 'zustand';

/** The server is there, since it gave this page, and did not let the page in. */
export const useRefusal = create<{ isRefused: boolean }>(() => ({ isRefused: false }));
