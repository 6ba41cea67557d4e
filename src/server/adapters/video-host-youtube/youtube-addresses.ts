/** Where Google answers what we ask. */
export interface YoutubeAddresses {
  /** Where a person gives permission, in a browser. */
  consent: string;
  token: string;
  upload: string;
  videos: string;
  channels: string;
  /** The page on which people watch the video. */
  watch(videoId: string): string;
}

const GOOGLE_HOSTS = ['www.googleapis.com', 'youtube.googleapis.com'];

/**
 * Google spreads its service over several hosts; a stand-in has everything below one base address. So with Google's own `apiUrl` each
 * address is Google's (https://developers.google.com/youtube/v3/guides/auth/installed-apps), and with any other all follow from it.
 */
export function youtubeAddresses(apiUrl: string): YoutubeAddresses {
  let base = apiUrl;
  while (base.endsWith('/')) base = base.slice(0, -1);
  const isGoogle = GOOGLE_HOSTS.includes(URL.parse(base)?.hostname ?? '');
  const pages = isGoogle ? 'https://www.youtube.com' : base;
  return {
    consent: isGoogle ? 'https://accounts.google.com/o/oauth2/v2/auth' : `${base}/o/oauth2/v2/auth`,
    token: isGoogle ? 'https://oauth2.googleapis.com/token' : `${base}/token`,
    upload: `${base}/upload/youtube/v3/videos`,
    videos: `${base}/youtube/v3/videos`,
    channels: `${base}/youtube/v3/channels`,
    watch: (videoId) => `${pages}/watch?v=${encodeURIComponent(videoId)}`,
  };
}

/**
 * The session address that `location` names, or null when it leads away from `upload`: our permission goes with every byte, so it is
 * sent nowhere else, neither by a wrong answer nor by an upload that was begun under another configuration.
 */
export function sessionAddress(location: string, upload: string): string | null {
  const url = URL.parse(location, upload);
  const expected = URL.parse(upload);
  if (!url || !expected || url.protocol !== expected.protocol) return null;
  const isSame = url.host === expected.host || (isGoogleApi(url) && isGoogleApi(expected));
  return isSame ? url.href : null;
}

const isGoogleApi = (url: URL) => url.hostname.endsWith('.googleapis.com') && url.port === '';
