package tmetest

import (
	"fmt"
	"strings"
)

// What surrounds the content on every page: it tells nothing, but it makes up much of a page's weight and of the
// time to read it, so it is as heavy here as on t.me. The curves are random.

// bubbleTail is drawn in every bubble.
const bubbleTail = `<i class="tgme_widget_message_bubble_tail">
      <svg class="bubble_icon" width="9px" height="20px" viewBox="0 0 9 20">
        <g fill="none">
          <path class="background" fill="#ffffff" d="M5,4 C3.553,0.966 7.391,1.883 5.245,18.194 C1.932,1.719 3.764,4.813 4.959,1.182 C5.089,18.949 5.676,11.660 0.557,11.711 C0.446,4.422 5.010,2.663 3.772,10.814 C5.138,11.205 6.138,2.061 5.141,3.757 Z"></path>
          <path class="border_1x" fill="#d7e3ec" d="M1,17 C6.409,11.287 5.571,9.928 4.785,15.545 C4.190,18.469 3.254,4.969 1.618,15.597 C0.737,6.005 4.456,6.870 4.040,12.179 C0.659,10.239 1.485,6.841 8.399,8.434 C8.658,1.552 5.023,15.782 7.365,6.802 C3.152,9.933 7.172,1.375 0.842,5.399 C6.273,1.300 6.580,6.192 5.202,13.625 C4.011,14.333 7.983,6.940 8.466,7.109 C5.498,9.874 1.964,5.749 6.645,7.958 C8.251,9.930 1.497,8.033 2.501,2.739 C3.875,11.004 6.358,19.729 6.145,7.609 Z"></path>
          <path class="border_2x" d="M3,4 C0.747,3.026 5.927,0.241 7.480,3.647 C2.537,2.914 4.811,12.196 2.868,2.510 C7.733,19.004 5.895,14.796 4.110,17.420 C8.567,13.612 5.033,7.961 3.547,9.630 C3.604,3.812 8.862,8.813 0.989,12.015 C0.921,11.336 4.830,18.979 5.524,1.406 C1.872,7.525 5.710,19.109 5.421,9.483 C1.038,9.761 8.800,9.608 2.807,2.882 C6.747,14.807 4.308,13.841 4.647,4.104 C8.568,7.235 6.211,18.283 6.823,5.962 C5.786,1.820 7.609,10.368 8.174,7.114 Z"></path>
          <path class="border_3x" d="M3,17 C4.874,10.054 5.728,12.265 7.096,15.166 C1.756,4.788 3.606,16.067 1.799,9.856 C6.579,19.792 7.111,9.445 1.743,12.103 C3.099,16.171 6.508,6.990 8.771,1.611 C0.919,9.402 3.040,9.653 8.867,12.205 C0.017,18.184 3.096,12.863 7.512,2.398 C3.497,14.230 1.794,17.780 3.905,12.717 C0.781,18.923 6.496,9.263 6.690,1.698 C1.430,19.862 0.248,11.816 4.188,13.117 C5.504,11.917 4.269,18.749 1.403,10.966 C0.193,15.987 6.537,2.055 6.745,2.785 Z"></path>
        </g>
      </svg>
    </i>`

// searchIcon stands in the search form.
const searchIcon = `<svg class="tgme_header_search_form_icon" width="20" height="20" viewBox="0 0 20 20"><g fill="none"><path d="M3,6 C0.252,4.256 4.510,15.274 2.934,10.887 C7.508,1.218 6.659,17.954 5.962,16.301 C4.651,16.543 7.904,2.615 1.367,10.211 Z"></path></g></svg>`

// clearIcon is animated, one path a frame.
const clearIcon = `<svg class="tgme_action_button_icon" viewBox="0 0 20 20" width="20" height="20"><g class="icon_body" fill="none"><path d="M7,5 C5.477,15.521 1.348,2.831 5.572,2.407 Z" stroke-dasharray="0.679,7.506"/><path d="M8,17 C4.342,15.530 7.949,1.136 1.722,0.844 Z" stroke-dasharray="1.075,4.974"/><path d="M0,2 C3.989,12.251 4.550,10.243 6.235,9.047 Z" stroke-dasharray="5.866,5.258"/><path d="M3,16 C7.889,18.844 2.336,11.190 8.489,16.800 Z" stroke-dasharray="1.508,1.338"/><path d="M7,10 C0.653,4.813 0.658,13.389 7.055,17.941 Z" stroke-dasharray="1.699,7.877"/><path d="M5,4 C2.278,2.745 4.210,14.934 0.847,17.699 Z" stroke-dasharray="1.791,7.346"/><path d="M3,5 C6.357,19.881 3.634,8.426 3.210,1.844 Z" stroke-dasharray="4.025,3.718"/><path d="M7,14 C6.328,7.687 4.657,5.909 8.647,2.257 Z" stroke-dasharray="10.104,2.514"/><path d="M1,2 C2.390,0.792 7.011,5.409 1.166,8.445 Z" stroke-dasharray="10.026,9.009"/><path d="M4,12 C1.344,18.383 5.135,14.008 0.805,1.151 Z" stroke-dasharray="7.570,4.678"/></g></svg>`

// joinIcon stands before its word.
const joinIcon = `<svg class="tgme_channel_join_telegram_icon" width="20" height="20" viewBox="0 0 20 20"><g fill="none"><path d="M1,8 C8.445,12.689 7.215,1.675 7.706,1.332 C7.765,9.075 3.052,11.061 8.340,5.357 C1.163,10.538 2.146,2.189 1.453,1.008 C1.816,6.240 2.745,15.190 2.610,10.002 C1.601,6.940 0.163,5.009 0.138,14.662 C4.959,3.789 4.273,18.693 0.957,16.378 C3.890,9.900 7.512,7.862 4.560,13.755 C8.842,6.854 7.491,14.135 5.724,8.094 C3.128,1.088 1.168,1.414 6.668,5.112 C1.469,1.690 7.571,17.411 6.035,5.639 C2.180,5.861 4.135,3.151 4.012,5.265 Z"></path></g></svg>Join`

// pageMeta is the same on every page.
const pageMeta = `    <meta name="viewport" content="width=device-width, initial-scale=1.0, minimum-scale=1.0, maximum-scale=1.0, user-scalable=no" />
    <meta name="format-detection" content="telephone=no" />
    <meta http-equiv="X-UA-Compatible" content="IE=edge" />
    <meta name="MobileOptimized" content="176" />
    <meta name="HandheldFriendly" content="True" />
`

// pageLinks are styles and icons.
const pageLinks = `    <link rel="icon" type="image/svg+xml" href="//telegram.org/img/website_icon.svg?4">
    <link rel="apple-touch-icon" sizes="180x180" href="//telegram.org/img/apple-touch-icon.png">
    <link href="//telegram.org/css/font-roboto.css?1" rel="stylesheet" type="text/css">
    <link href="//telegram.org/css/widget-frame.css?74" rel="stylesheet" media="screen">
    <link href="//telegram.org/css/telegram-web.css?39" rel="stylesheet" media="screen">
    <script>TBaseUrl='/';</script>
`

// pageScripts come last.
const pageScripts = `    <script src="//telegram.org/js/jquery.min.js"></script>
    <script src="//telegram.org/js/tgwallpaper.min.js?3"></script>
    <script src="//telegram.org/js/tgsticker.js?32"></script>
    <script src="//telegram.org/js/widget-frame.js?67"></script>
    <script src="//telegram.org/js/telegram-web.js?14"></script>
`

// background is the wallpaper.
const background = `    <div class="tgme_background_wrap">
      <canvas id="tgme_background" class="tgme_background" width="50" height="50" data-colors="c8d8b0,70a080,d0d090,80b080"></canvas>
      <div class="tgme_background_pattern"></div>
    </div>
`

// footerLinks stand below the channel's description.
const footerLinks = `          <a class="tgme_channel_download_telegram" href="//telegram.org/dl?tme=0000000000000000aa">
            <svg class="tgme_channel_download_telegram_icon" width="20" height="20" viewBox="0 0 20 20"><g fill="none"><path d="M5,17 C2.912,0.689 7.941,4.357 1.647,6.707 C0.755,5.579 5.904,4.964 6.986,1.817 C7.353,2.877 5.281,7.880 2.697,12.593 C0.760,19.153 7.679,3.105 8.035,15.681 C5.369,15.286 6.486,9.884 2.558,12.374 C1.303,16.497 6.435,10.260 3.863,14.021 C4.550,18.198 6.776,11.370 7.316,0.322 C6.178,15.959 6.401,19.122 5.786,1.702 C0.377,12.742 8.636,7.532 4.062,1.016 C0.170,10.629 2.201,5.276 4.113,1.402 C8.393,17.957 0.827,10.520 6.712,9.477 Z"></path></g></svg>Download Telegram
          </a>
          <div class="tgme_footer">
            <div class="tgme_footer_column">
              <h5><a href="//telegram.org/faq">About</a></h5>
            </div>
            <div class="tgme_footer_column">
              <h5><a href="//telegram.org/apps">Apps</a></h5>
            </div>
          </div>
`

// userColors gives the styles of the names' colours, light and dark.
func userColors() string {
	var b strings.Builder
	for _, scope := range []string{"", "body.dark ", "html.theme_dark "} {
		for n := 8; n <= 20; n++ {
			color := fmt.Sprintf("#%02x%02x%02x", n*11, 255-n*9, n*7)
			fmt.Fprintf(&b, "        %s.user-color-%d {\n          --user-line-gradient: repeating-linear-gradient(-45deg, %s 0px, %s 5px, #ffffff 5px, #ffffff 10px);\n"+
				"          --user-accent-color: %s;\n        }\n", scope, n, color, color, color)
		}
	}
	return b.String()
}
