export interface YoutubeUrls {
  /** The page on which a user grants permission. */
  consent: string;
  token: string;
  upload: string;
  videos: string;
  channels: string;
  /** The public page of a video. */
  watch(videoId: string): string;
}

const GOOGLE_HOSTS = ['www.googleapis.com', 'youtube.googleapis.com'];

/**
 * Google's service has several hosts, a stand-in only one base URL. With Google's own `apiUrl`
 * each URL is Google's (https://developers.google.com/youtube/v3/guides/auth/installed-apps);
 * with any other, all URLs are below it.
 */
export function youtubeUrls(apiUrl: string): YoutubeUrls {
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
 * The session URL in `location`, or null when it belongs to another host than `upload`: every
 * request contains our permission, which neither a wrong response nor a session from an earlier
 * configuration may redirect.
 */
export function sessionUrl(location: string, upload: string): string | null {
  const url = URL.parse(location, upload);
  const expected = URL.parse(upload);
  if (!url || !expected || url.protocol !== expected.protocol) return null;
  const isSame = url.host === expected.host || (isGoogleApi(url) && isGoogleApi(expected));
  return isSame ? url.href : null;
}

const isGoogleApi = (url: URL) => url.hostname.endsWith('.googleapis.com') && url.port === '';
